/** Opening and closing a second profile. It gets the colours of the first, by the same rule, and its body begins where ours does. */
import { FormatError } from '../../simulator/columns/container';
import { decodeNkiprof } from '../../simulator/formats/nkiprof';
import { decodeProfile } from '../../simulator/profile/codec';
import type { Profile } from '../../simulator/profile/profile';
import { compactWhenIdle } from '../data/compacting';
import { buildModel, type Model } from '../data/model';
import { colouring } from '../tracks/colouring';
import type { OtherProfile, View } from './view';

/** What is in a `.nkiprof` file. What cannot be read is said, not thrown. */
export const openOther = (view: View, title: string, file: Uint8Array) => open(view, title, () => decodeNkiprof(file));

/** A profile container, as the host hands it over. */
export const openOtherContainer = (view: View, title: string, bytes: Uint8Array) => open(view, title, () => decodeProfile(bytes));

function open(view: View, title: string, decode: () => Profile): void {
  try {
    useOther(view, title, buildModel(decode()));
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    view.announce(`${title} cannot be shown: ${error.message}`);
  }
}

function useOther(view: View, title: string, model: Model): void {
  if (!view.model) return;
  const shiftNs = model.profile.bodyStartNs - view.model.profile.bodyStartNs;
  view.setOther({ title, model, shiftNs, colouring: colouring(model.profile, view.store.state.colourBy) });
  compactWhenIdle(model, () => {
    if (view.other?.model === model) view.other = { ...view.other, colouring: colouring(model.profile, view.store.state.colourBy) };
  });
  view.store.update({ tab: 'compare', detailsOpen: true });
  view.announce(`${title} is shown below.`);
}

export const closeOther = (view: View) => view.setOther(null);

/** With the second profile's end in it, on our clock. */
export function limitsOf(model: Model, other: OtherProfile | null) {
  return other ? { startNs: 0, endNs: Math.max(model.limits.endNs, other.model.limits.endNs - other.shiftNs) } : model.limits;
}
