"""From a recipe to a snapshot: training that shows how far it is, can be stopped at any moment, and goes on."""
