-- Says that a node lives, or leaves. Answers how many there are, which run of the server this is, since when it has had
-- its data, and how many of the nodes are of version 1: another run may have lost what was written last, other data has
-- lost everything.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local nodes, since, of_this_version = KEYS[1], KEYS[2], KEYS[3]

local silent_after = 3000
for _, living in ipairs({ nodes, of_this_version }) do
  if ARGV[2] == '1' then
    redis.call('ZADD', living, now, ARGV[1])
  else
    redis.call('ZREM', living, ARGV[1])
  end
  redis.call('ZREMRANGEBYSCORE', living, '-inf', now - silent_after)
  -- Of before the clock was set back: who lives comes again.
  redis.call('ZREMRANGEBYSCORE', living, now + silent_after, '+inf')
  redis.call('PEXPIRE', living, 2 * silent_after)
end

local begun = tonumber(redis.call('GET', since) or 0)
if begun == 0 then
  begun = time[1] * 1000000 + time[2]
  redis.call('SET', since, string.format('%.0f', begun))
end

-- Twelve of its digits fit into a number. Who may not ask has 0: then new connections tell of a new run as well.
local told = redis.pcall('INFO', 'server')
local run = type(told) == 'string' and string.match(told, 'run_id:(%x+)') or '0'
local count = redis.call('ZCARD', nodes)
return { count, tonumber(string.sub(run, 1, 12), 16), begun, count - redis.call('ZCARD', of_this_version) }
