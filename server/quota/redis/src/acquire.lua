-- One call for one shared quota: takes the claim of the calling node, counts strikes, grants tokens, recalls tokens.
-- README.md in the parent directory has the guarantees and their proof. Times are microseconds of this server's clock.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]

local minute_length, day_length = 60000000, 86400000000
local a_monday = 4 * day_length -- 1970-01-05T00:00:00Z
local by_request, aligned, month = 0, 1, 2 -- what begins the periods of a window; a month is aligned, too
local node_forgotten_after, records_max = 300, 1000 -- seconds; node records of one key

local node, generation, sequence, per_short, short_length, short_begin, per_long, long_length, long_begin,
  is_continuous, nodes, want, waiting, held, looks, patience, claimed_short_end, claimed_short, claimed_long_end,
  claimed_long, returned_ns, returned_mark, strikes, ban_strikes, ban_base, ban_max, strike_length, ban_memory,
  bans_remembered, pardoned, is_never_banned, known_born, earlier_short_end, earlier_short, earlier_long_end,
  earlier_long, known_full_at, has_old_nodes, cheapest, dearest =
    struct.unpack('<dddddddddddddddddddddddddddddddddddddddd', ARGV[1])
-- There is no `old_key` once no hash of version 1 can have tokens of an open period. So a call has one key: a cluster that
-- moves a slot refuses calls with more keys until all of the slot has moved.
local key, old_key, channel = KEYS[1], KEYS[2], ARGV[2]
local continuous, never_banned = is_continuous == 1, is_never_banned == 1
-- Whether the call is for a request, which has the present plan. Other calls give back, or tell of strikes and pardons:
-- their plan may be an old one, and changes nothing that is open.
local is_for_request = want > 0 or looks == 1

-- The value: a head, parts that most keys do not have, and a record of each node, the node that called last at the end.
-- Version 2 has the long period's day, version 3 its end, so that it can be any period.
local head_form_2, head_form_3 = '<BBI7I5I3I6I7', '<BBI7I5I7I6I7'
local bucket_form, penalty_form, time_form = '<I7I2', '<I7I7I7I7I7B', '<I7'
-- Node, generation, sequence, tokens claimed of the short and of the long period, tokens it may hold, whether these
-- were recalled, time of its last call (in seconds).
local record_form, record_size, held_place = '<I6I5I5I4I6I3BI4', 34, 26

-- Nodes of version 1, and those that know values of version 2 only, have a minute that a request begins, and a UTC day.
local is_minute_and_day = short_begin == by_request and short_length == minute_length and long_begin == aligned and
  long_length == day_length

local short_end, short_used, long_end, long_used, born = 0, 0, 0, 0, now -- an end of 0: no period is open
local full_at, full_at_ns, recalled_at = 0, 0, 0
local announced_at, announced_until, strikes_gone_at, ban_until, pardoned_before = 0, 0, 0, 0, 0
local bans, others = {}, ''
local may_be_old = old_key ~= nil -- whether nodes of version 1 may have counted this key
if not is_minute_and_day then old_key = nil end
local value = redis.call('GET', key)
if value then
  local stored_version = string.byte(value)
  if stored_version ~= 2 and stored_version ~= 3 then
    return redis.error_reply('PETSTORE the value of ' .. key .. ' has version ' .. tostring(stored_version) ..
      ', this node knows versions 2 and 3')
  end
  local parts, ban_count, at
  stored_version, parts, short_end, short_used, long_end, long_used, born, at =
    struct.unpack(stored_version == 2 and head_form_2 or head_form_3, value)
  if stored_version == 2 then long_end = (long_end + 1) * day_length end
  may_be_old = parts >= 8
  if parts % 2 >= 1 then full_at, full_at_ns, at = struct.unpack(bucket_form, value, at) end
  if parts % 4 >= 2 then recalled_at, at = struct.unpack(time_form, value, at) end
  if parts % 8 >= 4 then
    announced_at, announced_until, strikes_gone_at, ban_until, pardoned_before, ban_count, at =
      struct.unpack(penalty_form, value, at)
    for j = 1, ban_count do bans[j], at = struct.unpack(time_form, value, at) end
  end
  others = string.sub(value, at)
end

-- `born` is when this key was first counted. If the node knows another time, it took tokens that are not counted here.
local has_forgotten = known_born ~= 0 and known_born ~= born

-- The record of this node. A call changes nothing if a later call of the same node ran before it.
local known_generation, known_sequence, known_short, known_long, known_heard = 0, 0, 0, 0, 0
for at = 1, #others, record_size do
  if struct.unpack('<I6', others, at) == node then
    local _
    _, known_generation, known_sequence, known_short, known_long, _, _, known_heard =
      struct.unpack(record_form, others, at)
    others = string.sub(others, 1, at - 1) .. string.sub(others, at + record_size)
    break
  end
end
if sequence <= known_sequence then return { 0 } end
-- A claim of a new generation adds to what is recorded of the old one. But after a loss the claim has all tokens of the
-- node, so it replaces the record of any generation.
if known_generation ~= generation and not has_forgotten then known_short, known_long = 0, 0 end

-- The end of a period that begins now. A long period that a request begins ends at a full second, as on one node.
local new_short_end, new_long_end = now + short_length, now + long_length
if short_begin == aligned then new_short_end = new_short_end - (now - a_monday) % short_length end
if long_begin == aligned then new_long_end = new_long_end - (now - a_monday) % long_length end
if long_begin == by_request then new_long_end = math.ceil(new_long_end / 1000000) * 1000000 end
if short_begin == month or long_begin == month then
  -- Years are counted from 1 March of the year 0 here, so a leap day is the last day of its year. From March on, each
  -- five months have 153 days.
  local function days_before(year)
    return 365 * year + math.floor(year / 4) - math.floor(year / 100) + math.floor(year / 400)
  end
  local epoch = 719468 -- days from there to 1970
  local days = math.floor(now / day_length) + epoch
  local year = math.floor(days / 365.2425) -- the right one, or the one before
  if days_before(year + 1) <= days then year = year + 1 end
  local months = math.floor((5 * (days - days_before(year)) + 2) / 153) -- complete ones of this year
  local next_begins = days_before(year) + math.floor((153 * (months + 1) + 2) / 5)
  if months == 11 then next_begins = days_before(year + 1) end -- February is shorter
  local month_end = (next_begins - epoch) * day_length
  if short_begin == month then new_short_end = month_end end
  if long_begin == month then new_long_end = month_end end
end

-- Periods that are over are empty. A clock that was set back prolongs no period that a request began, and opens no
-- aligned one again, unless it was ahead by more than a period.
local latest_short_end = new_short_end + (short_begin == by_request and 0 or short_length)
local latest_long_end = new_long_end + (long_begin == by_request and 0 or long_length)
local short_before, long_before = short_end, long_end
if is_for_request and short_end > latest_short_end then short_end = new_short_end end
if short_end <= now then short_end, short_used = 0, 0 end
if is_for_request and per_long > 0 and long_end > latest_long_end then long_end = new_long_end end
if long_end <= now then long_end, long_used = long_begin == by_request and 0 or new_long_end, 0 end
if short_end ~= short_before then known_short = 0 end
if long_end ~= long_before then known_long = 0 end

-- Nodes of version 1 keep a hash under another key. In this hash, all nodes of this version are one node, `n2`. For
-- this version, the tokens that nodes of version 1 took are in use.
local old_minute, old_day, old_minute_end, writes_old = 0, 0, 0, old_key and has_old_nodes == 1
local day = math.ceil(long_end / day_length) - 1
local has_old = may_be_old
if old_key and (may_be_old or writes_old) then
  local old = redis.call('HMGET', old_key, 'm', 'u', 'd', 'v', 's', 'x', 'n2')
  has_old = old[1] and true or false
  local function field(i) return tonumber(old[i] or 0) end
  local _, _, our_minute, our_minute_count, our_day, our_day_count =
    string.match(old[7] or '0 0 0 0 0 0', '(%d+) (%d+) (%d+) (%d+) (%d+) (%d+)')
  if field(1) > now and field(1) <= now + minute_length then
    old_minute_end = field(1)
    old_minute = math.max(0, field(2) - (tonumber(our_minute) == old_minute_end and tonumber(our_minute_count) or 0))
    if short_end == 0 and not continuous then short_end = old_minute_end end
  end
  if field(3) == day then
    old_day = math.max(0, field(4) - (tonumber(our_day) == day and tonumber(our_day_count) or 0))
  end
  if field(5) > full_at then full_at, full_at_ns = field(5), 999 end
  ban_until = math.max(ban_until, field(6))
end

-- After the clock was set back, a recall, a refusal and strikes that lie ahead are none, and no ban is longer than the
-- longest.
if recalled_at > now then recalled_at = 0 end
if announced_at > now then announced_at, announced_until = 0, 0 end
if strikes_gone_at > now + ban_strikes * strike_length then strikes_gone_at = 0 end
ban_until = math.min(ban_until, now + ban_max)

local interval = math.floor((short_length * 1000 + per_short - 1) / per_short) -- ns until a token is refilled
local owed = math.max((full_at - now) * 1000 + full_at_ns, 0)
if has_forgotten then owed = math.max(owed, (known_full_at - now) * 1000) end
if is_for_request then owed = math.min(owed, per_short * interval) end

-- The node's claim replaces its record: unused tokens come back, tokens of a lost answer come back, and tokens that a
-- failover forgot are counted again. Claims of a period that is over, or that ends later than any may, count for
-- nothing. Others count in the open period, even if it has another end, which it may have after a loss. If none is
-- open, the claimed one is. A claim of an aligned long period counts only if that is the open one.
if not has_forgotten then earlier_short_end, earlier_short, earlier_long_end, earlier_long = 0, 0, 0, 0 end
if claimed_short_end <= now or claimed_short_end > latest_short_end then claimed_short_end, claimed_short = 0, 0 end
if earlier_short_end <= now or earlier_short_end > latest_short_end then earlier_short_end, earlier_short = 0, 0 end
if continuous and short_end == 0 then -- `owed` has what others took of it
  claimed_short_end, claimed_short, earlier_short_end, earlier_short = 0, 0, 0, 0
end
if short_end == 0 then short_end = math.max(claimed_short_end, earlier_short_end) end
if long_begin == by_request then
  if claimed_long_end <= now or claimed_long_end > latest_long_end then claimed_long_end, claimed_long = 0, 0 end
  if earlier_long_end <= now or earlier_long_end > latest_long_end then earlier_long_end, earlier_long = 0, 0 end
  if long_end == 0 then long_end = math.max(claimed_long_end, earlier_long_end) end
else
  if claimed_long_end ~= long_end then claimed_long = 0 end
  if earlier_long_end ~= long_end then earlier_long = 0 end
end
short_used = math.max(0, short_used - known_short + claimed_short + earlier_short)
long_used = math.max(0, long_used - known_long + claimed_long + earlier_long)
local short_count = (claimed_short_end == short_end and claimed_short or 0) +
  (earlier_short_end == short_end and earlier_short or 0)
local long_count = (claimed_long_end == long_end and claimed_long or 0) +
  (earlier_long_end == long_end and earlier_long or 0)
if returned_ns > 0 and returned_mark > now then
  owed = math.max(0, owed - math.min(returned_ns, (returned_mark - now) * 1000))
end

-- After a change between periodic and continuous refill, the tokens in use stay in use.
if is_for_request and continuous and short_used > 0 then
  owed = math.min(math.max(owed, short_used * interval), per_short * interval)
  short_end, short_used, short_count = 0, 0, 0
elseif is_for_request and not continuous and owed > 0 then
  if short_end == 0 then short_end = new_short_end end
  short_used = math.max(short_used, math.ceil(owed / interval))
  owed = 0
end

-- Once a minute, and when a period ends, the records of the other nodes are brought up to date: claims of a period that
-- is over count for nothing, and a node without claims holds no tokens. Nodes that were silent for long are forgotten,
-- unless they hold tokens of an open period; they begin a new generation when they call again. Nodes that took tokens
-- of an open period are forgotten the second time, since it may be the clock that was set forward. Meanwhile they are
-- marked: they hold nothing and are recalled.
local second = math.floor(now / 1000000)
local is_new_short, is_new_long = short_end ~= short_before, long_end ~= long_before
if others ~= '' and (is_new_short or is_new_long or math.floor(known_heard / 60) ~= math.floor(second / 60)) then
  local kept = {}
  for at = 1, #others, record_size do
    local its_node, its_generation, its_sequence, of_short, of_long, holds, is_recalled, heard =
      struct.unpack(record_form, others, at)
    if is_new_short then of_short = 0 end
    if is_new_long then of_long = 0 end
    local has_taken = of_short > 0 or of_long > 0
    if not has_taken and not continuous then holds = 0 end
    local is_kept = heard >= second - node_forgotten_after or (holds > 0 and has_taken)
    if not is_kept and has_taken and is_recalled == 0 then is_kept, is_recalled, heard = true, 1, second end
    if is_kept then
      kept[#kept + 1] = struct.pack(record_form, its_node, its_generation, its_sequence, of_short, of_long, holds,
        is_recalled, heard)
    end
  end
  others = table.concat(kept, '', math.max(1, #kept - records_max + 2))
end

-- Bans. A pardon ends bans that began before it. Each strike counts for some time, one after the other. Each remembered
-- ban doubles the length of the next.
local begins_ban = false
if pardoned > pardoned_before then
  pardoned_before = pardoned
  if #bans == 0 or bans[#bans] <= pardoned then
    ban_until, announced_at, announced_until, strikes_gone_at, bans = 0, 0, 0, 0, {}
    if old_key and has_old then redis.call('HSET', old_key, 'x', '0') end
  end
end
if strikes > 0 and ban_strikes > 0 and not never_banned and ban_until <= now then
  local most = now + ban_strikes * strike_length
  strikes_gone_at = math.min(math.max(strikes_gone_at, now) + strikes * strike_length, most)
  if strikes_gone_at > most - strike_length then
    local length = ban_base
    for _, begun in ipairs(bans) do
      if begun > now - ban_memory then length = math.min(length * 2, ban_max) end
    end
    begins_ban, ban_until = true, now + math.min(length, ban_max)
    bans[#bans + 1] = now
    if #bans > bans_remembered then table.remove(bans, 1) end
  end
end

-- The grant takes tokens of both quotas or of neither. Waiting requests get what is left, since they use it at once, if
-- it is enough for one of them. A node gets only a part of the rest in advance, so that the other nodes find tokens, too.
local short_left = per_short - short_used - old_minute
if continuous then short_left = math.floor((per_short * interval - owed) / interval) end
local left = short_left
if per_long > 0 then left = math.min(left, per_long - long_used - old_day) end
local granted = 0
local is_banned = ban_until > now and not never_banned
if want > 0 and left > 0 and left >= cheapest and not is_banned then
  granted = math.min(want, left, math.max(1, waiting, math.floor(left / (2 * math.max(1, nodes)))))
  left, short_left = left - granted, short_left - granted
  if continuous then
    owed = owed + granted * interval
  else
    if short_end == 0 then short_end = new_short_end end
    short_used, short_count = short_used + granted, short_count + granted
  end
  if per_long > 0 then
    if long_end == 0 then long_end = new_long_end end
    long_used, long_count = long_used + granted, long_count + granted
  end
end

-- The recall: if a call gets too few tokens, or reads what is left, the other nodes give back the tokens that they hold
-- and do not need. A recall marks the record of each such node. It is published again only for a node that has called
-- in between. The caller does not wait for nodes that do not answer in time. The begin of a ban is a recall, too. So is
-- the end of an announced refusal because tokens came back, for nodes that keep that refusal.
local holders = 0 -- 0: no other node holds tokens, 1: some do and do not answer, 2: the recall was a moment ago
local is_short = waiting > granted and not is_banned
local is_news = left > 0 and announced_until > now
if is_news then announced_at, announced_until = 0, 0 end
if is_short or begins_ban or looks == 1 then
  local all, has_marked = {}, false
  for at = 1, #others, record_size do
    local record = string.sub(others, at, at + record_size - 1)
    local holds, is_recalled = struct.unpack('<I3B', record, held_place + 1)
    if holds > 0 then
      holders = 1
      if is_recalled == 0 then
        has_marked = true
        record = string.sub(record, 1, held_place) .. struct.pack('<I3B', holds, 1) ..
          string.sub(record, held_place + 5)
      end
    end
    all[#all + 1] = record
  end
  if has_marked then others, recalled_at, is_news = table.concat(all), now, true end
  if holders == 1 and now - recalled_at < patience then holders = 2 end
end
if is_news then redis.pcall('PUBLISH', channel, struct.pack('<I6', node) .. key) end -- if it fails, callers wait in vain
if now - recalled_at > 1000000 then recalled_at = 0 end
if is_short and holders == 0 and writes_old then holders = 1 end -- nodes of version 1 receive no recall

-- The first refusal announces how long to wait. Requests that do not wait are strikes. While there are tokens, but too
-- few, a cheaper request may pass, so nothing is announced.
if is_short and left <= 0 and holders < 2 and now >= announced_until then
  local free_at = now
  if short_left <= 0 then
    free_at = continuous and now + math.ceil((owed - (per_short - 1) * interval) / 1000) or short_end
  end
  if per_long > 0 and per_long <= long_used + old_day then free_at = math.max(free_at, long_end) end
  announced_at, announced_until = now, free_at
end

full_at, full_at_ns = now + math.floor(owed / 1000), owed % 1000
-- Of a grant that is smaller than the waiting requests need, the node keeps at most what is too little for one of them.
local kept = granted >= waiting and granted - waiting or math.min(granted, dearest - 1)
held = math.min(held + kept, 16777215)
local parts, words = 0, { '' }
if owed > 0 then
  parts = 1
  words[#words + 1] = struct.pack(bucket_form, full_at, full_at_ns)
end
if recalled_at > 0 then
  parts = parts + 2
  words[#words + 1] = struct.pack(time_form, recalled_at)
end
if has_old or writes_old then parts = parts + 8 end
if announced_at + strikes_gone_at + ban_until + pardoned_before + #bans > 0 then
  parts = parts + 4
  words[#words + 1] = struct.pack(penalty_form, announced_at, announced_until, strikes_gone_at, ban_until,
    pardoned_before, #bans)
  for j = 1, #bans do words[#words + 1] = struct.pack(time_form, bans[j]) end
end
if is_minute_and_day and long_end % day_length == 0 then
  words[1] = struct.pack(head_form_2, 2, parts, short_end, short_used, day, long_used, born)
else
  words[1] = struct.pack(head_form_3, 3, parts, short_end, short_used, long_end, long_used, born)
end
words[#words + 1] = others
words[#words + 1] = struct.pack(record_form, node, generation, sequence, short_count, long_count, held, 0, second)

-- The key expires when it has no more information.
local says_something_until = math.max(short_end, full_at, announced_until, strikes_gone_at, ban_until)
if long_used > 0 or long_begin == by_request then says_something_until = math.max(says_something_until, long_end) end
if #bans > 0 then says_something_until = math.max(says_something_until, bans[#bans] + ban_memory) end
local lives_ms = math.ceil((says_something_until - now) / 1000) + 5000
redis.call('SET', key, table.concat(words), 'PX', string.format('%.0f', lives_ms))

if writes_old then
  if old_minute_end == 0 then old_minute_end = short_end end
  -- The last field is a time in the future, since their script forgets nodes that were silent for long.
  local ours = string.format('0 0 %.0f %.0f %.0f %.0f %.0f', old_minute_end, short_used, day, long_used,
    now / 1000000 + 1e6)
  redis.call('HSET', old_key, 'm', string.format('%.0f', old_minute_end), 'u',
    string.format('%.0f', old_minute + short_used), 'd', day, 'v', string.format('%.0f', old_day + long_used), 's',
    string.format('%.0f', owed > 0 and full_at or 0), 't', full_at_ns, 'g', string.format('%.0f', now), 'x',
    string.format('%.0f', ban_until), 'n2', ours)
  redis.call('PEXPIRE', old_key, string.format('%.0f', lives_ms))
end

return { 1, now, granted, short_end, short_used + old_minute, long_end, long_used + old_day, full_at, full_at_ns,
  announced_at, announced_until, ban_until, bans[#bans] or 0, holders, born }
