"""The engines that hold models: one folder or file an engine, imported only when asked for."""
