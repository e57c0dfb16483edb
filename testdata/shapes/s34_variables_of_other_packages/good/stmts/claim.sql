-- claims the next ticket
SELECT id FROM tickets WHERE state = 'open'
ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
