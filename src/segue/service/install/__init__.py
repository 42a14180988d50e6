"""What segue puts into agents: planned as values, noted in a ledger, taken out again without a trace."""
