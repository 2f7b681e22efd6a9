/** The timeline's kind of panel, as package.json names it in its activation events. */
export const VIEW_TYPE = 'nkiScope.timeline';
