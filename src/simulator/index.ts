/**
 * The simulator's whole public surface: what the extension and the command line import. Everything else in this folder is
 * reached through here (the webview imports `profile/`, `analyze/`, `columns/` directly).
 */

export { type Advice, type AdviceReport, type AdvisedLine, advise, type ValuesTried } from './advice/advise';
export type { TextEdit } from './advice/edits';
export { KeptRuns } from './agents/keptRuns';
export { profileText } from './agents/profileText';
export type { AgentTool, AskedCall, HostedResult, ToolAnswer, ToolHost, ToolRun, WhichRun } from './agents/tool';
export { errorJson, errorLine, ToolError } from './agents/toolError';
export { AGENT_TOOLS, callTool } from './agents/tools';
export { activeIntervals, busyByTrack, dmaActiveNs, trackActiveNs } from './analyze/activeTime';
export { type Baselines, baselines } from './analyze/baselines';
export { bounds, type UtilizationBounds } from './analyze/bounds';
export { collectiveTotals } from './analyze/collectives';
export { type Comparison, changeOf, compare, isTooSmall, type LineChange, unpaired, type Verdict } from './analyze/compare/compare';
export { besideOneAnother, type LineTimes, shownLine } from './analyze/compare/lines';
export { matchLines } from './analyze/compare/matchLines';
export { type ErrorStatistics, errorPercent, errorStatistics } from './analyze/errorStatistics';
export { firstTriggerNs } from './analyze/firstTrigger';
export { piecesText, pieceText, type ShownPiece } from './analyze/foldedPath';
export { bytesText, counted, percentText, signedPercentText, timeText } from './analyze/format';
export { groupedChecks, groupedMessage } from './analyze/groupedChecks';
export { lengthNs } from './analyze/intervals';
export { type LaunchRow, type LaunchSum, launchSums, launchTable } from './analyze/launches';
export { type LayerRow, layerOfFrame, layerRows } from './analyze/layers';
export { busyNs, type Line, type LineOptions, lines, type Range } from './analyze/lines';
export { machineOf } from './analyze/machineOf';
export { numbersIn } from './analyze/numbersIn';
export { type PathReport, pathReport, type SlackSummary, slackSummary } from './analyze/pathReport';
export { ranksOfRun } from './analyze/ranks';
export { baseName, columnNames, type NameParts, namePartsOf, nameText, numbered, rankLabel } from './analyze/runNames';
export { stallShort, stallText } from './analyze/stallText';
export { statementAt } from './analyze/statements';
export { isTooSmallShare, modelledChangeText, SMALL_MARK_MEANS, smallMarkNote, TOO_SMALL } from './analyze/tellsApart';
export { valuesText } from './analyze/valuesText';
export { type Warning, warnings } from './analyze/warnings';
export {
  BASELINE_FILE,
  type Baseline,
  type BaselineEntry,
  baselineEntry,
  formatBaseline,
  parseBaseline,
} from './budgets/baseline';
export { type Budget, parseBudgets } from './budgets/budget';
export { type BudgetVerdict, judge, notRun } from './budgets/verdict';
export { type Column, type Columns, FormatError } from './columns/container';
export { toPlanes } from './columns/planes';
export { neuronPolicy } from './compile/neuronPolicy';
export type { Policy } from './compile/policy';
export type { AttemptReport, CompileReport, PassReport } from './compile/report';
export { type CausalLine, type CausalPoint, causalProfile } from './experiments/causal';
export type { NextPath } from './experiments/nextPath';
export { type Answer, type Question, SWITCHES } from './experiments/whatIf';
export { adviceJson, answerJson, comparisonJson, lineJson, namedAnswerJson, type TimedAnswer } from './formats/answersJson';
export { type BudgetReport, budgetsJson, budgetsMarkdown, faultText, isKept, junitXml, sarif } from './formats/budgetReports';
export { isProfileTable } from './formats/capture/explorerFields';
export { type CaptureOptions, isCaptureJson, readCaptureJson } from './formats/capture/legacyJson';
export { isSystemJson } from './formats/capture/system/json';
export { isSystemTable } from './formats/capture/system/tables';
export {
  type ComparisonNames,
  comparisonMarkdown,
  comparisonTotal,
  deltaText,
  NO_CHANGE,
  placeOf,
  shownChanges,
  textBefore,
  unpairedText,
  whatIsCompared,
} from './formats/comparisonMarkdown';
export { profileId } from './formats/contentHash';
export { csvChunks } from './formats/csv';
export { fileStem, fileStems } from './formats/fileNames';
export { jsonChunks } from './formats/json';
export {
  DEFLATE_LEVEL,
  decodeNkiprof,
  NKIPROF_EXTENSION,
  nkiprofId,
  type PackedPart,
  packedPart,
  packingNkiprof,
  packNkiprof,
  unpackNkiprof,
} from './formats/nkiprof';
export { PARQUET_EXTENSION, parquetFiles } from './formats/parquet/parquet';
export { schemaText } from './formats/parquet/schemaText';
export { type PerfettoOptions, perfettoChunks } from './formats/perfetto/perfetto';
export { DEFAULT_GROUPS, type SystemGroups } from './formats/perfetto/systemTrace';
export { CAPTURE_DEPTH, isProcessFolder, type NamedRank, ranksBeside } from './formats/rankNames';
export { rankLines, ranksJson, ranksText } from './formats/ranksText';
export { PERFORMANCE, type Said, said } from './formats/said';
export { summaryJson } from './formats/summaryJson';
export { summaryText, terminologyText } from './formats/summaryText';
export type { KernelInfo, UserError } from './frontend/protocol';
export type { Fact } from './hardware/facts';
export { aroundBody, type Machine } from './hardware/machine';
export { MOST_RANKS, TOPOLOGY_NAMES } from './hardware/network';
export { DEFAULT_TARGET, machineFor, TARGETS } from './hardware/targets';
export { withValues } from './hardware/withValues';
export { compareVersions, NEWEST_NKI, NKI_VERSIONS, RELEASES, RENAMED_PARAMETERS, versionedNames, versionsOf } from './isa/versions';
export { decodeProfile, encodeProfile, withAnnotations } from './profile/codec';
export { kernelKind } from './profile/likelyTime';
export { coresOf, ofCore, withoutCore } from './profile/ofCore';
export { firstPart, type PartName, slicesPart } from './profile/parts';
export * from './profile/profile';
export { type FilteredPart, filteredPart, type SharedFrom, withoutShared } from './profile/sharedColumns';
export type { SystemFilter } from './profile/systemFilter';
export { GROUP_FIELDS, type GroupField } from './profile/systemRows';
export type { FrameColumns, IterationColumns, SourceFile } from './program/program';
export { type Replay, type ReplayEvent, type ReplayKind, replayCapture } from './replay/replay';
export { adviceByRuns } from './service/adviceByRuns';
export * from './service/arguments';
export { cacheFolder } from './service/cacheFolder';
export * from './service/cases';
export { SimulatorClient } from './service/client';
export { type EditedRun, EditFailed, editedTexts, runEdited } from './service/editedRun';
export { SimulatorFault } from './service/fault';
export { type Inspection, NoValues } from './service/inspection';
export { type InspectedProfile, Inspector, type InspectProgress } from './service/inspector';
export { type Pinned, pinnedNki } from './service/pinnedVersion';
export {
  answersOf,
  type CausalCurve,
  causalIn,
  type ExperimentAnswer,
  type ExperimentAsked,
  experimentIn,
  type Watching,
  type Wish,
  type WishAnswer,
} from './service/reading/experiments';
export { isTextFile } from './service/reading/guardedRead';
export { readJobs } from './service/reading/jobs';
export type { Glance, JobInput, OutputPiece, PathOfProfile, ProfileSource, ReadJobs } from './service/reading/messages';
export { firstBytes, formatOf, type ProfileFormat, readContainer, readFile, readProfile } from './service/reading/profileAt';
export { ranksOfFile } from './service/reading/rankPlace';
export { ReadingClient } from './service/reading/readingClient';
export { ReadingError } from './service/reading/readingError';
export { type Send, serveJobs } from './service/reading/serveJobs';
export { type RerunAnswer, type RerunOptions, rerunRequest } from './service/rerun';
export { FinishedPoints, pointsFolder } from './service/sweeps/finishedPoints';
export { modelVersion } from './service/sweeps/modelVersion';
export { type PointsOptions, runPoints } from './service/sweeps/runPoints';
export { sweepFile } from './service/sweeps/sweepFile';
export { type ComparedValues, type Tuned, type TuneOptions, tune } from './service/sweeps/tune';
export { NoWorkspace, nearestWorkspace, ownFolder } from './service/workspace';
export * from './session/capture';
export type { NarrowedErrors, OutputErrors, PrecisionLine, PrecisionReport } from './session/precisionReport';
export { type Certainty, certainty, certaintyText } from './variants/certainty';
export { constantEdits, moduleConstants } from './variants/constants';
export { checkedDescription, plannedPoints, type SweepDescription, sweepPlan } from './variants/description';
export { sweepParquet } from './variants/parquet';
export { requestOf, type SweepPlan, valuesOfKind } from './variants/request';
export type { VariantResult } from './variants/result';
export type { SweepPoint } from './variants/space';
export { fastest, headTexts, pointWords, rowJson, rowTexts, sweepCsv, type VariantRow } from './variants/table';
export { SpaceError } from './variants/values';
export type { KernelKind } from './vocabulary/kernelKinds';
export { PIPELINE_CHOICES, type Pipeline } from './vocabulary/pipelines';
export { tensorText } from './vocabulary/tensorText';
