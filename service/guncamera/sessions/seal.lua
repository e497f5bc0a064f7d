-- Keep a seat's order beside the state until all are revealed, if nobody else was first.
-- KEYS: head, ledger, requests
-- ARGV: expected revision, expected serial, channel, request id or '', what is kept under it, seat,
-- order
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

-- One write, so that there is never a seal without its serial.
local serial = tonumber(ARGV[2]) + 1
redis.call('HSET', KEYS[1], 'seal:' .. ARGV[6], ARGV[7], 'seal_serial', serial)
if ARGV[4] ~= '' then
  redis.call('HSET', KEYS[3], ARGV[4], ARGV[5])
  -- The expiry counts from the last action. The first request makes a key, and that has none.
  local left = redis.call('PTTL', KEYS[1])
  if left > 0 then
    redis.call('PEXPIRE', KEYS[3], left)
  end
end
redis.pcall('PUBLISH', ARGV[3], 'sealed')
return {'sealed', serial}
