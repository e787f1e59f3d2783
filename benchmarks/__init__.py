"""The measured claims: every module here with a function ``figures`` measures some of them."""
