/** The view's end of the channel to its host. */
import type { Channel } from './channel';
import type { HostEvents, HostMethods, ViewEvents } from './messages';

export type HostChannel = Channel<HostMethods, HostEvents, Record<never, never>, ViewEvents>;
