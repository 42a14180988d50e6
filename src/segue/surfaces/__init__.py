"""How people and programs reach the operations. Surfaces translate, they never decide."""
