function __lab_answer
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -e words[1]
    $_lab_door completion answer $words "$word" 2>/dev/null
end
complete -c lab -f -a '(__lab_answer)'
complete -c lab -n 'test (count (__lab_answer)) -eq 0' -F
