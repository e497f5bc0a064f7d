-- Give a seat to a token, if the session exists and the seat is free. The expiry stays as it is.
-- KEYS: head, and with a request id ledger, requests
-- ARGV: the seat's field, token hash, request id or '', what is kept under it
local head = redis.call('HMGET', KEYS[1], 'revision', 'request_id', 'request_fingerprint')
if not head[1] then
  return {'missing'}
end
if ARGV[3] ~= '' then
  if ARGV[3] == head[2] then
    return {'repeated', '0', head[3]}
  end
  local used = redis.call('HGET', KEYS[3], ARGV[3])
  if used then
    local space = string.find(used, ' ', 1, true)
    return {'repeated', string.sub(used, 1, space - 1), string.sub(used, space + 1)}
  end
end
local holder = redis.call('HGET', KEYS[1], ARGV[1])
if holder then
  return {holder == ARGV[2] and 'kept' or 'taken'}
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
if ARGV[3] ~= '' then
  redis.call('HSET', KEYS[3], ARGV[3], ARGV[4])
  -- The expiry counts from the last action. The first request makes a key, and that has none.
  local left = redis.call('PTTL', KEYS[1])
  if left > 0 then
    redis.call('PEXPIRE', KEYS[3], left)
  end
end
return {'held'}
