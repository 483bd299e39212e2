import type { Project } from '../model/config.ts';
import { Problem } from '../model/problem.ts';

/**
 * Returns a binding's namespace id, or its preview id. Throws for an unknown binding, or a binding without the requested id. The hint shows
 * the fields to add.
 */
export function findKvBinding(
  project: Project,
  binding: string,
  options: { preview?: boolean } = {},
): string {
  const entry = project.kvNamespaces.find((candidate) => candidate.binding === binding);
  if (entry === undefined) throw unboundProblem(project, binding);
  const id = options.preview ? entry.previewId : entry.id;
  if (id !== undefined) return id;
  const key = options.preview ? 'preview_id' : 'id';
  const other = options.preview ? entry.id : entry.previewId;
  throw new Problem(
    'binding-not-found',
    `The binding "${binding}" in ${formatPlace(project)} has no ${key}.`,
    {
      remedy: {
        kind: 'add-binding-id',
        binding,
        preview: options.preview === true,
        other: other !== undefined,
      },
    },
  );
}

function unboundProblem(project: Project, binding: string): Problem {
  const bound = project.kvNamespaces.map((entry) => entry.binding);
  const message = `Key-value binding "${binding}" not found in ${formatPlace(project)}.`;
  return new Problem('binding-not-found', message, { hint: unboundHint(project, binding, bound) });
}

function unboundHint(project: Project, binding: string, bound: readonly string[]): string {
  const above = project.topLevel.kvNamespaces.some((entry) => entry.binding === binding);
  if (project.environment !== undefined && above) {
    const entry = `env.${project.environment}.kv_namespaces`;
    return `The name is bound at the top level, but environments do not inherit bindings: add the binding to ${entry}.`;
  }
  if (project.buckets.some((bucket) => bucket.binding === binding)) return 'The name is bound to a bucket.';
  return bound.length === 0 ? 'No namespaces are bound.' : `Existing bindings: ${bound.join(', ')}.`;
}

function formatPlace(project: Project): string {
  return project.environment === undefined
    ? project.path
    : `${project.path}, environment ${project.environment}`;
}
