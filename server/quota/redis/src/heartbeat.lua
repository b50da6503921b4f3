-- Says that a node lives, or leaves. Answers how many there are, which run of the server this is, and since when it has
-- had its data: another run may have lost what was written last, other data has lost everything.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local nodes, since = KEYS[1], KEYS[2]

local silent_after = 3000
if ARGV[2] == '1' then
  redis.call('ZADD', nodes, now, ARGV[1])
else
  redis.call('ZREM', nodes, ARGV[1])
end
redis.call('ZREMRANGEBYSCORE', nodes, '-inf', now - silent_after)
-- Of before the clock was set back: who lives comes again.
redis.call('ZREMRANGEBYSCORE', nodes, now + silent_after, '+inf')
redis.call('PEXPIRE', nodes, 2 * silent_after)

local begun = tonumber(redis.call('GET', since) or 0)
if begun == 0 then
  begun = time[1] * 1000000 + time[2]
  redis.call('SET', since, string.format('%.0f', begun))
end

-- Twelve of its digits fit into a number. Who may not ask has 0: then new connections tell of a new run as well.
local told = redis.pcall('INFO', 'server')
local run = type(told) == 'string' and string.match(told, 'run_id:(%x+)') or '0'
return { redis.call('ZCARD', nodes), tonumber(string.sub(run, 1, 12), 16), begun }
