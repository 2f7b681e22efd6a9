/** The kinds of panels, as package.json names them. */

/** A timeline beside the code. */
export const VIEW_TYPE = 'nkiScope.timeline';
/** The editor of a saved profile. */
export const EDITOR_TYPE = 'nkiScope.profileEditor';
