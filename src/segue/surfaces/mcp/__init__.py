"""MCP: the operations as tools, threads and handoffs as resources, two prompts, for any agent that speaks it."""
