/** Shells with a completion script. */
export const shells = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof shells)[number];

/**
 * The script that each shell loads at startup. For each word, the script runs `edgectl completion words -- WORD...`, which prints one line
 * per candidate (the word, a tab, and the description), or only `:files` to request file names.
 */
export const scripts: Readonly<Record<Shell, string>> = {
  bash: `# edgectl: completion for bash. In ~/.bashrc: source <(edgectl completion bash)
_edgectl() {
  local line word words=() cur="" quoted="" cut i rest="\${COMP_LINE:0:COMP_POINT}"
  # Bash splits words at = and :, which occur in flags and keys. Parts without a space between them are joined again.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    line="\${rest#"\${rest%%[![:space:]]*}"}"
    word="\${COMP_WORDS[i]:0:\${#line}}"
    [[ $i -gt 0 && "$line" == "$rest" ]] || { [[ $i -eq 0 ]] || words+=("$cur"); cur=""; }
    cur+="$word"
    rest="\${line#"$word"}"
  done
  words+=("$cur")
  # If the word starts with a quote, candidates need no escapes.
  local start=$'^(--[a-z0-9-]*=)?["\\']' marks=$'["\\'\\\\\\\\]'
  [[ "$cur" =~ $start ]] && { quoted=1; cut="\${BASH_REMATCH[1]}"; }
  words=("\${words[@]//$marks/}")
  cur="\${words[\${#words[@]}-1]}"
  [[ -n "$quoted" ]] || cut="\${cur%"\${cur##*[=:]}"}"
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ "$line" == ":files" ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "\${cur##*=}")
      return
    fi
    line="\${line%%$'\\t'*}"
    [[ -n "$quoted" ]] || line="$(printf '%q' "$line")"
    COMPREPLY+=("$line")
  done < <("\${COMP_WORDS[0]}" completion words -- "\${words[@]:1}" 2>/dev/null)
  # The part that readline has already cut off is not repeated.
  if [[ -n "$cut" && "$COMP_WORDBREAKS" == *[=:]* ]]; then
    COMPREPLY=("\${COMPREPLY[@]#"$cut"}")
  fi
  [[ \${#COMPREPLY[@]} -eq 1 && "\${COMPREPLY[0]}" == *[=/] ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -F _edgectl edgectl
`,
  zsh: `#compdef edgectl
# edgectl: completion for zsh. In ~/.zshrc, below compinit: source <(edgectl completion zsh)
_edgectl() {
  local line offers=() lines
  lines=("\${(@f)$("\${words[1]}" completion words -- "\${(@Q)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
  for line in "\${lines[@]}"; do
    [[ -z "$line" ]] && continue
    if [[ "$line" == ":files" ]]; then
      compset -P '*='
      _files
      return
    fi
    offers+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  (( \${#offers} )) && _describe -t edgectl edgectl offers
}
if [[ "$funcstack[1]" == _edgectl ]]; then _edgectl "$@"; else compdef _edgectl edgectl; fi
`,
  fish: `# edgectl: completion for fish. In ~/.config/fish/config.fish: edgectl completion fish | source
function __edgectl_complete
    set -l words (commandline -opc) (commandline -ct | string replace -r '^(--[^=]*=)?["\\']' '$1')
    for line in ($words[1] completion words -- $words[2..-1] 2>/dev/null)
        if test "$line" = ":files"
            __fish_complete_path (string replace -r '^--[^=]*=' '' -- (commandline -ct))
            return
        end
        echo $line
    end
end
complete -c edgectl -f -a '(__edgectl_complete)'
`,
};
