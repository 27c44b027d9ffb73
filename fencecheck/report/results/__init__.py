"""Results as text, Markdown, CSV, JSON and JUnit XML, and the verdict table."""
