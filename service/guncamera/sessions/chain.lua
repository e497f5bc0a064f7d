-- Add entries to a ledger and replace the state, all or nothing, if nobody else was first and none
-- of their request ids is used.
-- KEYS: head, ledger, requests, states
-- ARGV: expected revision, state, ttl in seconds, channel, '1' to keep the state for good, how many
-- entries; the entries; then for each a request id or '', and its fingerprint
local head = redis.call('HMGET', KEYS[1], 'revision', 'request_id', 'seal_serial')
local revision = head[1]
if not revision then
  return {'missing'}
end
-- Whoever calls has looked for these ids: one that is used now came with an action in between.
if revision ~= ARGV[1] then
  return {'conflict', revision}
end
local count = tonumber(ARGV[6])
for at = 7 + count, #ARGV, 2 do
  local id = ARGV[at]
  if id ~= '' and (id == head[2] or redis.call('HEXISTS', KEYS[3], id) == 1) then
    return {'conflict', revision}
  end
end
local length = redis.call('LLEN', KEYS[2])
if length ~= tonumber(revision) then
  return {'damaged', revision, tostring(length)}
end

-- As in append.lua: first what can be refused, all entries in one write, and the revision last.
redis.call('RPUSH', KEYS[2], unpack(ARGV, 7, 6 + count))
local next_revision = length
for at = 7 + count, #ARGV, 2 do
  next_revision = next_revision + 1
  if ARGV[at] ~= '' then
    redis.call('HSET', KEYS[3], ARGV[at], next_revision .. ' ' .. ARGV[at + 1])
  end
end
if ARGV[5] == '1' then
  redis.call('HSET', KEYS[4], next_revision, ARGV[2])
end
redis.call('HSET', KEYS[1], 'revision', next_revision, 'state', ARGV[2])
if head[3] then
  local gone = {'seal_serial'}
  for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
    if string.sub(field, 1, 5) == 'seal:' then
      gone[#gone + 1] = field
    end
  end
  redis.call('HDEL', KEYS[1], unpack(gone))
end
redis.call('EXPIRE', KEYS[1], ARGV[3])
redis.call('EXPIRE', KEYS[2], ARGV[3])
redis.call('EXPIRE', KEYS[3], ARGV[3])
redis.call('EXPIRE', KEYS[4], ARGV[3])
redis.pcall('PUBLISH', ARGV[4], next_revision)
return {'appended', next_revision}
