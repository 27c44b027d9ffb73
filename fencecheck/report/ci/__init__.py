"""Results for build servers that show findings beside the lines of files."""
