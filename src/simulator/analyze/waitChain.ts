/** Why an event started when it did, link by link: itself, whom it waited for, whom that waited for, back to one that did not wait. */
import { type EventId, type Profile, STALL_REASONS, type StallReason } from '../profile/profile';
import { eventCount, eventValue } from './eventAccess';

export interface WaitLink {
  event: EventId;
  /** Why, and how long, the link before this one waited for it; `none` for the first. */
  reason: StallReason;
  waitNs: number;
}

/** The event first. `most` links at most. */
export function waitChain(p: Profile, event: EventId, most = 32): WaitLink[] {
  const chain: WaitLink[] = [{ event, reason: 'none', waitNs: 0 }];
  for (let at = event; chain.length < most; ) {
    const blocker = eventValue(p, at, 'blocker');
    // a damaged file's blockers may run in circles
    if (blocker < 0 || blocker >= eventCount(p) || chain.some(link => link.event === blocker)) break;
    const waitNs = eventValue(p, at, 'startNs') - eventValue(p, at, 'readyNs');
    chain.push({ event: blocker, reason: STALL_REASONS[eventValue(p, at, 'stall')], waitNs });
    at = blocker;
  }
  return chain;
}
