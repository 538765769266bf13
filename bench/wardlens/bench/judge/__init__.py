"""Judgments a second of an instruct judge, against plain vLLM."""
