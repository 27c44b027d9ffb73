"""Pictures of traces: swim-lane diagrams through Graphviz, and Mermaid."""
