/**
 * Constraints of a sweep: expressions of Python's spelling over the values of a point, as `TILE_N <= 512 and a[1] % TILE_N == 0`.
 * Numbers, texts, names of parameters, arithmetic, comparisons (chained, too), `and`, `or`, `not`, `min`, `max`, `abs`. Nothing else: no
 * code is run.
 */
import { type ParameterValue, SpaceError } from './values';

/** @returns true or false of a constraint. @throws SpaceError where values do not go together */
export type Expression = (point: Readonly<Record<string, ParameterValue>>) => ParameterValue;

type Operation = (a: ParameterValue, b: ParameterValue) => ParameterValue;

const TOKEN = /\s*(?:(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|("[^"]*"|'[^']*')|([A-Za-z_]\w*(?:\[\d+\])*)|(\/\/|\*\*|[<>=!]=|[-+*/%<>(),]))/y;
/** Brackets within brackets. */
const MOST_DEPTH = 100;
const MOST_CHARACTERS = 10_000;

const numbers =
  (name: string, act: (a: number, b: number) => number): Operation =>
  (a, b) => {
    if (typeof a !== 'number' || typeof b !== 'number')
      throw new SpaceError(`${JSON.stringify(a)} ${name} ${JSON.stringify(b)}: not numbers`);
    return act(a, b);
  };
const order =
  (name: string, is: (a: number | string, b: number | string) => boolean): Operation =>
  (a, b) => {
    const comparable = (typeof a === 'number' && typeof b === 'number') || (typeof a === 'string' && typeof b === 'string');
    if (!comparable) throw new SpaceError(`${JSON.stringify(a)} ${name} ${JSON.stringify(b)}: these have no order`);
    return is(a, b);
  };
const divided = (act: (a: number, b: number) => number) => (a: number, b: number) => {
  if (b === 0) throw new SpaceError('a constraint divides by zero');
  return act(a, b);
};

/** As Python does it: the quotient goes down, and the rest has the sign of the divisor. */
const SUMS: Readonly<Record<string, Operation>> = { '+': numbers('+', (a, b) => a + b), '-': numbers('-', (a, b) => a - b) };
const PRODUCTS: Readonly<Record<string, Operation>> = {
  '*': numbers('*', (a, b) => a * b),
  '/': numbers(
    '/',
    divided((a, b) => a / b),
  ),
  '//': numbers(
    '//',
    divided((a, b) => Math.floor(a / b)),
  ),
  '%': numbers(
    '%',
    divided((a, b) => a - b * Math.floor(a / b)),
  ),
};
const COMPARISONS: Readonly<Record<string, Operation>> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': order('<', (a, b) => a < b),
  '<=': order('<=', (a, b) => a <= b),
  '>': order('>', (a, b) => a > b),
  '>=': order('>=', (a, b) => a >= b),
};
const FUNCTIONS: Readonly<Record<string, (values: number[]) => number>> = {
  min: values => Math.min(...values),
  max: values => Math.max(...values),
  abs: ([value]) => Math.abs(value),
};
const WORDS: Readonly<Record<string, ParameterValue>> = { True: true, False: false, None: null, true: true, false: false, null: null };

/** @throws SpaceError that shows what is not understood */
export function parseExpression(text: string): Expression {
  return new Parser(text).whole();
}

class Parser {
  private readonly tokens: string[];
  private at = 0;
  private depth = 0;

  constructor(private readonly text: string) {
    this.tokens = tokensOf(text);
  }

  whole(): Expression {
    const value = this.either();
    if (this.at < this.tokens.length) this.fail(`${this.tokens[this.at]} is not expected here`);
    return value;
  }

  private either(): Expression {
    let left = this.both();
    while (this.take('or')) {
      const [a, b] = [left, this.both()];
      left = point => (isTrue(a(point)) ? a(point) : b(point));
    }
    return left;
  }

  private both(): Expression {
    let left = this.negated();
    while (this.take('and')) {
      const [a, b] = [left, this.negated()];
      left = point => (isTrue(a(point)) ? b(point) : a(point));
    }
    return left;
  }

  private negated(): Expression {
    if (!this.take('not')) return this.comparison();
    return this.nested(() => {
      const of = this.negated();
      return point => !isTrue(of(point));
    });
  }

  /** `a < b < c` is `a < b and b < c`. */
  private comparison(): Expression {
    const first = this.chain(SUMS, () => this.chain(PRODUCTS, () => this.signed()));
    const rest: [Operation, Expression][] = [];
    for (let act = this.takeOf(COMPARISONS); act; act = this.takeOf(COMPARISONS))
      rest.push([act, this.chain(SUMS, () => this.chain(PRODUCTS, () => this.signed()))]);
    if (rest.length === 0) return first;
    return point => {
      let left = first(point);
      for (const [act, next] of rest) {
        const right = next(point);
        if (act(left, right) !== true) return false;
        left = right;
      }
      return true;
    };
  }

  private chain(table: Readonly<Record<string, Operation>>, part: () => Expression): Expression {
    let left = part();
    for (let act = this.takeOf(table); act; act = this.takeOf(table)) {
      const [of, a, b] = [act, left, part()];
      left = point => of(a(point), b(point));
    }
    return left;
  }

  private signed(): Expression {
    if (this.take('-'))
      return this.nested(() => {
        const of = this.signed();
        return point => SUMS['-'](0, of(point));
      });
    const base = this.single();
    if (!this.take('**')) return base;
    const exponent = this.nested(() => this.signed());
    return point => numbers('**', (a, b) => a ** b)(base(point), exponent(point));
  }

  private single(): Expression {
    const token = this.tokens[this.at++];
    if (token === undefined) return this.fail('it ends too early');
    if (token === '(') {
      const value = this.nested(() => this.either());
      this.expect(')');
      return value;
    }
    if (/^[\d]/.test(token)) return () => Number(token);
    if (/^["']/.test(token)) return () => token.slice(1, -1);
    if (Object.hasOwn(FUNCTIONS, token) && this.tokens[this.at] === '(') return this.called(FUNCTIONS[token]);
    if (Object.hasOwn(WORDS, token)) return () => WORDS[token];
    if (!/^[A-Za-z_]/.test(token)) return this.fail(`${token} is not expected here`);
    return point => {
      if (!Object.hasOwn(point, token))
        throw new SpaceError(`${this.text}: no parameter ${token}; there are ${Object.keys(point).join(', ')}`);
      return point[token];
    };
  }

  private called(act: (values: number[]) => number): Expression {
    this.at++;
    const given = this.nested(() => {
      const values = [this.either()];
      while (this.take(',')) values.push(this.either());
      return values;
    });
    this.expect(')');
    return point => {
      const values = given.map(value => value(point));
      if (!values.every(value => typeof value === 'number')) throw new SpaceError(`${this.text}: not numbers`);
      return act(values as number[]);
    };
  }

  private nested<T>(parse: () => T): T {
    if (++this.depth > MOST_DEPTH) this.fail('too many brackets within each other');
    const parsed = parse();
    this.depth--;
    return parsed;
  }

  private take(word: string): boolean {
    if (this.tokens[this.at] !== word) return false;
    this.at++;
    return true;
  }

  private takeOf(table: Readonly<Record<string, Operation>>): Operation | null {
    const token = this.tokens[this.at];
    if (token === undefined || !Object.hasOwn(table, token)) return null;
    this.at++;
    return table[token];
  }

  private expect(word: string) {
    if (!this.take(word)) this.fail(`${word} is missing`);
  }

  private fail(what: string): never {
    throw new SpaceError(`the constraint ${JSON.stringify(this.text)}: ${what}`);
  }
}

const isTrue = (value: ParameterValue) => value !== false && value !== null && value !== 0 && value !== '';

function tokensOf(text: string): string[] {
  if (text.length > MOST_CHARACTERS) throw new SpaceError(`a constraint has more than ${MOST_CHARACTERS} characters`);
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let at = 0; text.slice(at).trim() !== ''; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (!match) throw new SpaceError(`the constraint ${JSON.stringify(text)}: ${text.slice(at).trim()[0]} is not understood`);
    tokens.push(match[0].trim());
  }
  return tokens;
}
