"""The games, each a package that offers the same eight names."""
