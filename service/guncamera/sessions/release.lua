-- Take a seat back from its token. What the seat has sealed or offered goes with it: whoever claims
-- the seat next must not find it, and it must not be revealed in their name. The expiry stays as it
-- is. A request id is kept also where nobody held the seat: its repetition must not release whoever
-- has claimed it since.
-- KEYS: head, and with a request id ledger, requests
-- ARGV: the seat's field, its field of seals, its field of offers, the hash of the token that holds
-- it or '', channel, request id or '', what is kept under it
local head = redis.call('HMGET', KEYS[1], 'revision', 'request_id', 'request_fingerprint')
if not head[1] then
  return {'missing'}
end
if ARGV[6] ~= '' then
  if ARGV[6] == head[2] then
    return {'repeated', '0', head[3]}
  end
  local used = redis.call('HGET', KEYS[3], ARGV[6])
  if used then
    local space = string.find(used, ' ', 1, true)
    return {'repeated', string.sub(used, 1, space - 1), string.sub(used, space + 1)}
  end
end
local answer = 'other'
if ARGV[4] ~= '' and redis.call('HGET', KEYS[1], ARGV[1]) == ARGV[4] then
  answer = 'released'
  redis.call('HDEL', KEYS[1], ARGV[1])
  if redis.call('HDEL', KEYS[1], ARGV[2], ARGV[3]) > 0 then
    -- Whoever has counted this seal or offer must not go on without it.
    redis.call('HINCRBY', KEYS[1], 'seal_serial', 1)
  end
end
if ARGV[6] ~= '' then
  redis.call('HSET', KEYS[3], ARGV[6], ARGV[7])
  local left = redis.call('PTTL', KEYS[1])
  if left > 0 then
    redis.call('PEXPIRE', KEYS[3], left)
  end
end
if answer == 'released' then
  redis.pcall('PUBLISH', ARGV[5], 'released')
end
return {answer}
