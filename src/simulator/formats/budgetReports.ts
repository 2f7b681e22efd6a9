/** Verdicts on budgets for the tools around a build: JUnit XML, SARIF for code scanning, Markdown for a pull request, JSON. */
import { percentText, timeText } from '../analyze/format';
import { BUDGET_RULES, type BudgetFault, type BudgetVerdict } from '../budgets/verdict';
import { TELLS_APART_PERCENT } from '../hardware/likelyFactors';

export interface BudgetReportGiven {
  verdicts: readonly BudgetVerdict[];
  /** Absolute; files in it are named from there. */
  root: string;
  /** Of the product. */
  version: string;
}

export type BudgetReport = (given: BudgetReportGiven) => string;

export const isKept = ({ faults }: BudgetVerdict) => faults.length === 0;

/** A test case per budget, as CI servers read it. Source: the schema of Jenkins' JUnit plugin, junit-10.xsd. */
export const junitXml: BudgetReport = ({ verdicts, root }) => {
  const broken = verdicts.filter(verdict => !isKept(verdict)).length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites><testsuite name="NKI Scope budgets" tests="${verdicts.length}" failures="${broken}" errors="0">`,
    ...verdicts.flatMap(({ budget, totalNs, faults }) => [
      `<testcase classname="${xml(budget.file)}" name="${xml(budget.name)}">`,
      ...(totalNs === null ? [] : [`<properties><property name="modelled_time_ns" value="${totalNs}"/></properties>`]),
      ...faults.map(fault => `<failure type="${fault.rule}" message="${xml(fault.message)}">${xml(faultText(fault, root))}</failure>`),
      '</testcase>',
    ]),
    '</testsuite></testsuites>',
    '',
  ].join('\n');
};

/** Source: OASIS, Static Analysis Results Interchange Format 2.1.0. */
export const sarif: BudgetReport = ({ verdicts, root, version }) => {
  const rules = Object.entries(BUDGET_RULES).map(([id, text]) => ({ id, shortDescription: { text } }));
  const results = verdicts.flatMap(({ budget, faults }) =>
    faults.map(({ rule, message, file, line }) => ({
      ruleId: rule,
      level: 'error',
      message: { text: `${budget.name}: ${message}` },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: encodeURI(shortFile(file, root) || budget.file), uriBaseId: '%SRCROOT%' },
            region: { startLine: Math.max(1, line) },
          },
        },
      ],
    })),
  );
  const driver = { name: 'NKI Scope', version, rules };
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [{ tool: { driver }, results }] };
  return `${JSON.stringify(log, null, 2)}\n`;
};

export const budgetsMarkdown: BudgetReport = ({ verdicts, root }) => {
  const broken = verdicts.filter(verdict => !isKept(verdict));
  const head = `Budgets kept: ${verdicts.length - broken.length} of ${verdicts.length}`;
  const rows = verdicts.map(
    verdict => `| ${[cell(verdict.budget.name), ...figures(verdict), isKept(verdict) ? 'kept' : '**broken**'].join(' | ')} |`,
  );
  const faults = broken.flatMap(({ budget, faults: own }) => own.map(fault => `- ${cell(budget.name)}: ${cell(faultText(fault, root))}`));
  return [
    `**${head}**`,
    '',
    '| kernel | time | budget | baseline | change | |',
    '| :-- | --: | --: | --: | --: | :-- |',
    ...rows,
    '',
    ...(faults.length > 0 ? [...faults, ''] : []),
    `Times are modelled. A difference below ${TELLS_APART_PERCENT} % is within what the model can tell apart, and breaks no budget.`,
    '',
  ].join('\n');
};

export const budgetsJson: BudgetReport = ({ verdicts, root }) =>
  JSON.stringify(
    verdicts.map(verdict => ({
      name: verdict.budget.name,
      kept: isKept(verdict),
      total_time_ns: verdict.totalNs,
      baseline_ns: verdict.baselineNs,
      faults: verdict.faults.map(fault => ({ ...fault, file: shortFile(fault.file, root) })),
    })),
    null,
    2,
  );

/** Time, budget, baseline, change. */
function figures({ budget: { maxUs }, totalNs, baselineNs }: BudgetVerdict): string[] {
  const change = totalNs === null || baselineNs === null ? '' : changeText(totalNs / baselineNs - 1);
  return [totalNs, maxUs === undefined ? null : maxUs * 1000, baselineNs].map(ns => (ns === null ? '' : timeText(ns))).concat(change);
}

const changeText = (share: number) => (share === 0 ? 'none' : `${share > 0 ? '+' : '−'}${percentText(Math.abs(share))}`);

/** `kernel.py:12: over-budget: …` */
export function faultText({ rule, message, file, line }: BudgetFault, root: string): string {
  const place = file === '' ? '' : `${shortFile(file, root)}:${line > 0 ? `${line}:` : ''} `;
  return `${place}${rule}: ${message}`;
}

/** With slashes, from the root, where it is in it. */
function shortFile(file: string, root: string): string {
  const [path, folder] = [file, root].map(text => text.replaceAll('\\', '/'));
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
}

/** Without what XML does not allow. */
const xml = (text: string) =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is taken out
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[<>&"']/g, sign => `&#${sign.charCodeAt(0)};`);

const cell = (text: string) =>
  text
    .replaceAll('|', '\\|')
    .replaceAll('`', "'")
    .replace(/[<>]/g, sign => (sign === '<' ? '&lt;' : '&gt;'))
    .replace(/\p{Cc}/gu, ' ');
