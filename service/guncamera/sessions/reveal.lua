-- Add the orders that were sealed to a ledger, replace the state and let the seals go, all at once,
-- if nobody has acted or sealed in between.
-- KEYS: head, ledger, requests, states
-- ARGV: expected revision, expected serial, channel, request id or '', what is kept under it, state,
-- ttl in seconds, '1' to keep the state for good, then the entries
local head =
  redis.call('HMGET', KEYS[1], 'revision', 'request_id', 'request_fingerprint', 'seal_serial')
local revision = head[1]
if not revision then
  return {'missing'}
end
if ARGV[4] ~= '' then
  if ARGV[4] == head[2] then
    return {'repeated', '0', head[3]}
  end
  local used = redis.call('HGET', KEYS[3], ARGV[4])
  if used then
    local space = string.find(used, ' ', 1, true)
    return {'repeated', string.sub(used, 1, space - 1), string.sub(used, space + 1)}
  end
end
if revision ~= ARGV[1] or (head[4] or '0') ~= ARGV[2] then
  return {'conflict', revision}
end
local length = redis.call('LLEN', KEYS[2])
if length ~= tonumber(revision) then
  return {'damaged', revision, tostring(length)}
end

-- As in append.lua: first what can be refused, all entries in one write, and the revision last.
redis.call('RPUSH', KEYS[2], unpack(ARGV, 9))
local next_revision = length + #ARGV - 8
if ARGV[4] ~= '' then
  redis.call('HSET', KEYS[3], ARGV[4], ARGV[5])
end
if ARGV[8] == '1' then
  redis.call('HSET', KEYS[4], next_revision, ARGV[6])
end
redis.call('HSET', KEYS[1], 'revision', next_revision, 'state', ARGV[6])
local gone = {'seal_serial'}
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  if string.sub(field, 1, 5) == 'seal:' then
    gone[#gone + 1] = field
  end
end
redis.call('HDEL', KEYS[1], unpack(gone))
redis.call('EXPIRE', KEYS[1], ARGV[7])
redis.call('EXPIRE', KEYS[2], ARGV[7])
redis.call('EXPIRE', KEYS[3], ARGV[7])
redis.call('EXPIRE', KEYS[4], ARGV[7])
redis.pcall('PUBLISH', ARGV[3], next_revision)
return {'appended', next_revision}
