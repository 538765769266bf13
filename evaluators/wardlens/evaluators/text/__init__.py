"""What is read off a text itself: its sentences, its citations, its sections."""
