"""Wardlens's engine: thousands of requests at once, each computed once, every answer remembered.

Importing it switches this process and its children off the network.
"""

from wardlens.engine.offline import switch_off_network

switch_off_network()
