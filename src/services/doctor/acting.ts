import type { Project } from '../../model/config.ts';
import { check, type DoctorCheck } from '../../model/doctor/check.ts';
import { isProblem } from '../../model/problem.ts';
import type { Credentials, Origin } from '../../profiles/credentials.ts';
import type { World } from '../../world.ts';
import { configOptions } from '../session/config-options.ts';
import { credentialInput } from '../session/credential-input.ts';
import { describeUnknownField } from '../session/open-session.ts';
import type { Choice } from '../session/session.ts';
import { failedCheck } from './failed.ts';

/** The configuration and the credentials that commands use, as far as they are known without a request. */
export interface Acting {
  readonly checks: readonly DoctorCheck[];
  readonly project: Project | undefined;
  /** The credentials; undefined if none are set, or if they cannot be used. */
  readonly credentials: Credentials | undefined;
  /** Whether no credentials are set. */
  readonly isSignedOut: boolean;
}

/** Reads and checks the configuration and the credentials. */
export async function readActing(world: World, choice: Choice): Promise<Acting> {
  const { check: ofConfig, project } = await readConfiguration(world, choice);
  try {
    const { refuseMisspelt } = await import('../../profiles/misspelt-variable.ts');
    refuseMisspelt(world.env);
    const { resolveCredentials } = await import('../../profiles/credentials.ts');
    const credentials = await resolveCredentials(credentialInput(world, choice, project));
    const checks = [ofConfig, credentialCheck(credentials)];
    return { checks, project, credentials, isSignedOut: false };
  } catch (error) {
    const isSignedOut = isProblem(error) && error.code === 'not-signed-in';
    const checks = [ofConfig, failedCheck('credentials', error)];
    return { checks, project, credentials: undefined, isSignedOut };
  }
}

/** Reads and checks the configuration. */
export async function readConfiguration(
  world: World,
  choice: Choice,
): Promise<{ check: DoctorCheck; project?: Project }> {
  try {
    const { openProject } = await import('../../config/project.ts');
    const project = await openProject(configOptions(world, choice));
    if (project === undefined) return { check: await missingConfiguration(world) };
    return { project, check: foundConfiguration(project) };
  } catch (error) {
    return { check: failedCheck('configuration', error) };
  }
}

async function missingConfiguration({ cwd }: World): Promise<DoctorCheck> {
  const { findForeignProject, describeForeignProject } = await import('../../config/find.ts');
  const foreign = await findForeignProject(cwd);
  if (foreign === undefined) return check.ok('configuration', `No file in ${cwd} or its parent folders`, {});
  const facts = { foreign };
  return check.warning(
    'configuration',
    describeForeignProject(foreign),
    { remedy: { kind: 'add-config' } },
    facts,
  );
}

function foundConfiguration(project: Project): DoctorCheck {
  const { path, environment, kvNamespaces, buckets, fallback } = project;
  const bindings = [...kvNamespaces, ...buckets].map(({ binding }) => binding);
  const details = [
    path,
    environment === undefined ? undefined : `environment ${environment}`,
    `${bindings.length} ${bindings.length === 1 ? 'binding' : 'bindings'}`,
    fallback ? 'used because no edgectl file was found' : undefined,
  ].filter((part) => part !== undefined);
  const facts = { path, environment, bindings };
  const unknown = (project.unknownFields ?? []).map(describeUnknownField);
  if (unknown.length === 0) return check.ok('configuration', details.join(', '), facts);
  return check.warning('configuration', details.join(', '), { hint: unknown.join('\n') }, facts);
}

const pickedBy = {
  flag: 'from the command line',
  environment: 'from EDGECTL_PROFILE',
  folder: 'bound to this folder',
  choice: 'the active profile',
} as const;

const readOnlyWords = {
  no: '',
  own: '; read-only',
  chosen: '; read-only, like the active profile',
  'not-accepted': '; read-only, because the file has not been accepted',
} as const;

function credentialCheck(credentials: Credentials): DoctorCheck {
  const { source } = credentials;
  const from =
    source.kind === 'environment'
      ? `the environment (${source.variables})`
      : `profile ${source.name}, ${pickedBy[source.by]}${readOnlyWords[credentials.readOnly ?? 'no']}`;
  return check.ok('credentials', `${credentialKind(credentials)}: ${from}`, { source });
}

function credentialKind(credentials: Credentials): string {
  if (credentials.kind === 'sandbox') return "The sandbox's own";
  const { auth, locked } = credentials;
  const kind = auth !== undefined && 'email' in auth ? 'Email address and API key' : 'API token';
  return locked === undefined ? kind : `${kind}, locked with a passphrase`;
}

/** Describes the source of an account id or a zone id. */
export async function describeOrigin(
  kind: 'account' | 'zone',
  origin: Origin,
  project: Project | undefined,
): Promise<string> {
  if (origin === 'typed') return 'from the command line';
  if (typeof origin === 'object') return 'variable' in origin ? origin.variable : `profile ${origin.profile}`;
  if (project === undefined) return 'the configuration';
  const { locateValue } = await import('../../config/locate.ts');
  return locateValue(project, [`${kind}_id`], { inherited: true });
}
