-- Keep what is known of a key. It never expires: a service whose keys are gone must not forget that
-- it had some.
-- KEYS: the hash of keys
-- ARGV: key id, what is kept
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 1
