"""Card abstraction: hands that are told apart no further share a bucket; and the dealing of hands as buckets."""
