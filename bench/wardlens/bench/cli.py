"""Measure throughput against named peers."""

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None: ...
def run(arguments: argparse.Namespace) -> int:
    return 0
