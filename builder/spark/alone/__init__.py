"""How a single task compares a small DataFrame. It may import what its parent may."""
