"""The judge's side of the conversation with the process of an answer: requests, and replies that are not trusted."""
