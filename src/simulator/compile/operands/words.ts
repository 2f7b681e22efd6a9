/** Words of operand lists that analyses look for. */

/** Before the name of the collective operation that a DMA completes. */
export const COLLECTIVE_WORD = 'cc_op=';
