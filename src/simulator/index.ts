/**
 * The simulator's whole public surface: what the extension and the command line import. Everything else in this folder is
 * reached through here (the webview imports `profile/`, `analyze/`, `columns/` directly).
 */

export { type Advice, type AdviceReport, type AdvisedLine, advise } from './advice/advise';
export type { TextEdit } from './advice/edits';
export { activeIntervals, busyByTrack, dmaActiveNs, trackActiveNs } from './analyze/activeTime';
export { type Baselines, baselines } from './analyze/baselines';
export { bounds, type UtilizationBounds } from './analyze/bounds';
export { collectiveTotals } from './analyze/collectives';
export { type Comparison, changeOf, compare, type LineChange, unpaired, type Verdict } from './analyze/compare/compare';
export { besideOneAnother, type LineTimes, shownLine } from './analyze/compare/lines';
export { matchLines } from './analyze/compare/matchLines';
export { type ErrorStatistics, errorPercent, errorStatistics } from './analyze/errorStatistics';
export { firstTriggerNs } from './analyze/firstTrigger';
export { piecesText, pieceText, type ShownPiece } from './analyze/foldedPath';
export { bytesText, percentText, signedPercentText, timeText } from './analyze/format';
export { lengthNs } from './analyze/intervals';
export { busyNs, type Line, type LineOptions, lines, type Range } from './analyze/lines';
export { type PathReport, pathReport, type SlackSummary, slackSummary } from './analyze/pathReport';
export { ranksOfRun } from './analyze/ranks';
export { baseName, columnNames, type NameParts, namePartsOf, nameText, numbered } from './analyze/runNames';
export { stallShort, stallText } from './analyze/stallText';
export { statementAt } from './analyze/statements';
export { type Warning, warnings } from './analyze/warnings';
export { type Column, type Columns, FormatError } from './columns/container';
export { neuronPolicy } from './compile/neuronPolicy';
export type { Policy } from './compile/policy';
export type { AttemptReport, CompileReport, PassReport } from './compile/report';
export { type CausalLine, type CausalPoint, causalProfile } from './experiments/causal';
export type { NextPath } from './experiments/nextPath';
export { type Answer, type Question, SWITCHES } from './experiments/whatIf';
export { isProfileTable } from './formats/capture/explorerFields';
export { type CaptureOptions, isCaptureJson, readCaptureJson } from './formats/capture/legacyJson';
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
export { DEFLATE_LEVEL, decodeNkiprof, NKIPROF_EXTENSION, nkiprofId, packNkiprof, unpackNkiprof } from './formats/nkiprof';
export { PARQUET_EXTENSION, parquetFiles } from './formats/parquet/parquet';
export { type PerfettoOptions, perfettoChunks } from './formats/perfetto/perfetto';
export { rankLines, ranksJson, ranksText } from './formats/ranksText';
export { PERFORMANCE, type Said, said } from './formats/said';
export { summaryJson } from './formats/summaryJson';
export { summaryText, terminologyText } from './formats/summaryText';
export type { KernelInfo, UserError } from './frontend/protocol';
export type { Fact } from './hardware/facts';
export type { Machine } from './hardware/machine';
export { MOST_RANKS, TOPOLOGY_NAMES } from './hardware/network';
export { DEFAULT_TARGET, machineFor, TARGETS } from './hardware/targets';
export { withValues } from './hardware/withValues';
export { compareVersions, NEWEST_NKI, NKI_VERSIONS, RELEASES, RENAMED_PARAMETERS, versionedNames, versionsOf } from './isa/versions';
export { decodeProfile, encodeProfile } from './profile/codec';
export { type KernelKind, kernelKind } from './profile/likelyTime';
export { coresOf, ofCore, withoutCore } from './profile/ofCore';
export * from './profile/profile';
export type { FrameColumns, IterationColumns, SourceFile } from './program/program';
export { type Replay, type ReplayEvent, type ReplayKind, replayCapture } from './replay/replay';
export * from './service/arguments';
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
export { ReadingClient } from './service/reading/readingClient';
export { ReadingError } from './service/reading/readingError';
export { type Send, serveJobs } from './service/reading/serveJobs';
export { type RerunAnswer, type RerunOptions, rerunRequest } from './service/rerun';
export { NoWorkspace, nearestWorkspace, ownFolder } from './service/workspace';
export * from './session/capture';
export type { OutputErrors, PrecisionLine, PrecisionReport } from './session/precisionReport';
export { PIPELINE_CHOICES, type Pipeline } from './vocabulary/pipelines';
export { tensorText } from './vocabulary/tensorText';
