"""The forum: forums, posts, comments, votes and messages; tasks call it `reddit`."""
