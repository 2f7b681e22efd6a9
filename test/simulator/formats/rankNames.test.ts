/** Ranks of one run by their names: ours, and those that AWS's tools write for several workers and nodes. */
import assert from 'node:assert/strict';
import { ranksBeside } from '../../../src/simulator/formats/rankNames';

const beside = (names: readonly string[], one: string) => ranksBeside(names, one, name => name).map(({ label, of }) => [label, of]);

describe('names of ranks', () => {
  it('are numbered, also in folders, and in the order of their numbers', () => {
    const names = ['a/profile_rank_10.ntff', 'a/profile_rank_9.ntff', 'b/profile_rank_0.ntff', 'a/profile_rank_9.json', 'a/profile.ntff'];
    assert.deepEqual(beside(names, names[0]), [
      ['Rank 9', names[1]],
      ['Rank 10', names[0]],
    ]);
    for (const alone of names.slice(2)) assert.deepEqual(beside(names, alone), []);
  });

  it('are numbered before the execution that was captured', () => {
    const names = ['profile_rank_0_exec_2.ntff', 'profile_rank_1_exec_2.ntff', 'profile_rank_0.ntff', 'profile_rank_1_exec_3.ntff'];
    assert.deepEqual(beside(names, names[0]), [
      ['Rank 0', names[0]],
      ['Rank 1', names[1]],
    ]);
    assert.deepEqual(beside(names, names[2]), []);
  });

  it('of a capture by model say node, process and core beside their number', () => {
    const names = [
      'i-2_pid_7/88_instid_0_vnc_0.ntff',
      'i-1_pid_30/88_instid_0_vnc_1.ntff',
      'i-1_pid_30/88_instid_0_vnc_0.ntff',
      'i-1_pid_4/88_instid_0_vnc_0.ntff',
      'i-1_pid_4/99_instid_0_vnc_0.ntff',
    ];
    assert.deepEqual(beside(names, names[0]), [
      ['Rank 0 (i-1 pid 4, NC 0)', names[3]],
      ['Rank 1 (i-1 pid 30, NC 0)', names[2]],
      ['Rank 2 (i-1 pid 30, NC 1)', names[1]],
      ['Rank 3 (i-2 pid 7, NC 0)', names[0]],
    ]);
    assert.deepEqual(beside(names, names[4]), [], 'another model');
  });

  it('of a session in each process’s own folder belong together by the number of the session', () => {
    const names = [1, 2].flatMap(session => [5, 6].map(pid => `run/i-1_pid_${pid}/2026_${pid}/profile_nc_0_session_${session}.ntff`));
    assert.deepEqual(beside(names, names[0]), [
      ['Rank 0 (i-1 pid 5, NC 0)', names[0]],
      ['Rank 1 (i-1 pid 6, NC 0)', names[1]],
    ]);
  });
});
