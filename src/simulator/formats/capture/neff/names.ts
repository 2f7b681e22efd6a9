/**
 * Names of the instructions of a NEFF. Three files lead to them: the assembler's has a row for each instruction, which names rows of the back end's
 * (`I-8-0`), which name rows of the front end's (`float32<128 x 128> $8[i, j]`).
 */
import { ProtobufMessage } from '../ntff/protobuf';

/** Fields of the debug files. */
const ROWS = 3;
const ROW = { id: 1, text: 2, of: 3 } as const;

const messageOf = (bytes: Uint8Array | undefined) => new ProtobufMessage(bytes ?? new Uint8Array(0), "the NEFF's debug information");

interface Named {
  text: string;
  of: number[];
}

function rowsById(bytes: Uint8Array | undefined): Map<number, Named> {
  return new Map(
    messageOf(bytes)
      .messages(ROWS)
      .map(row => [row.number(ROW.id), { text: row.text(ROW.text), of: row.numbers(ROW.of) }]),
  );
}

export interface DebugFiles {
  assembler: Uint8Array | undefined;
  backEnd: Uint8Array | undefined;
  frontEnd: Uint8Array | undefined;
}

/** The name of each instruction of an engine, from its debug information; empty without it. @throws FormatError */
export function instructionNames({ assembler, backEnd, frontEnd }: DebugFiles): string[] {
  const [middle, front] = [rowsById(backEnd), rowsById(frontEnd)];
  return messageOf(assembler)
    .messages(ROWS)
    .map(row => {
      const named = middle.get(row.numbers(ROW.of)[0] ?? -1);
      const text = front.get(named?.of[0] ?? -1)?.text;
      return [named?.text, text].filter(Boolean).join(' ');
    });
}
