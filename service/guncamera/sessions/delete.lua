-- Remove a session and tell those who watch it. What the request id was is kept for a while beyond
-- the session's life, so that its repetition is known and deletes no other of the same name.
-- KEYS: head, ledger, requests, states, deletions
-- ARGV: channel, request id or '', fingerprint, seconds to keep it
if ARGV[2] ~= '' then
  local done = redis.call('HGET', KEYS[5], ARGV[2])
  if done then
    return {'repeated', '0', done}
  end
end
local removed = redis.call('EXISTS', KEYS[1])
-- First what a full store does not refuse; after it, it refuses nothing of this script.
redis.call('UNLINK', KEYS[1], KEYS[2], KEYS[3], KEYS[4])
if removed == 0 then
  return {'missing'}
end
if ARGV[2] ~= '' then
  redis.call('HSET', KEYS[5], ARGV[2], ARGV[3])
  redis.call('EXPIRE', KEYS[5], ARGV[4])
end
redis.pcall('PUBLISH', ARGV[1], 'deleted')
return {'deleted'}
