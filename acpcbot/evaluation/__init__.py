"""What a policy is worth and what it could lose: exact in small games."""
