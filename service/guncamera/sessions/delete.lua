-- Remove a session and tell those who watch it.
-- KEYS: head, ledger, requests
-- ARGV: channel
local removed = redis.call('EXISTS', KEYS[1])
redis.call('UNLINK', KEYS[1], KEYS[2], KEYS[3])
if removed == 1 then
  redis.pcall('PUBLISH', ARGV[1], 'deleted')
end
return removed
