"""Records of systems that are not ours: asked while they run, or taken from other tools."""
