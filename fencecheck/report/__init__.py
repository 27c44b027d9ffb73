"""Reports: a result or a trace goes in, strings or bytes come out; nothing explores or prints."""
