"""Workloads, peers and measurements: how fast Wardlens is, and against what.

The top layer. Nothing imports it; the command line finds it by entry point.
"""
