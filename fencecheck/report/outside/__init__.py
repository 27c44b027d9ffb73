"""What is told of other programs: a result in, text out."""
