export function endWithProcess(end: () => void): () => void;
