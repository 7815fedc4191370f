/**
 * The shared bucket's arithmetic as Redis runs it: drip, take the deposit in, lease out, as one step that nothing can
 * come between. Two instances that read and wrote the number by themselves would both spend the same retry.
 *
 * Time is the store's own, so that no two hosts' clocks are compared. A bucket that nobody asks for an hour is dropped.
 */

/** One key: the bucket. Arguments: deposit, want, most, perSecond, what a bucket holds that is not there yet. */
export const LEASE_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local held = redis.call('HMGET', KEYS[1], 'retries', 'at')
local retries, at = tonumber(held[1]), tonumber(held[2])
if not retries then retries, at = tonumber(ARGV[5]), now end
if now > at then
  retries = retries + (now - at) * ARGV[4] / 1000
  at = now
end
retries = math.min(tonumber(ARGV[3]), retries + ARGV[1])
local granted = math.min(tonumber(ARGV[2]), math.floor(retries + 1e-9))
local left = string.format('%.17g', math.max(0, retries - granted))
redis.call('HSET', KEYS[1], 'retries', left, 'at', string.format('%.17g', at))
redis.call('PEXPIRE', KEYS[1], 3600000)
return { granted, left }
`;
